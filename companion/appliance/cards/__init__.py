"""Cards that install Gunbai at their first start: what is put onto them, and what that start does with it.

Comes in: an update, the owner's wishes, Debian packages. Goes out: a prepared card, or an archive that is unpacked onto
one. Needs only the standard library: the first start runs before anything is installed.
"""
