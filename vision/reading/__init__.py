"""Reading a frame: from the board image to pieces, counts by area and how sure they are. Pictures in, beliefs out."""
