// MicroPython's build for WebAssembly with the sketch and fakes of a Pico's pins: runs each line of standard input, a JSON
// string of code, and answers with a JSON line, [what was printed, the error or null].
// usage: node serve.mjs PACKAGE SKETCH, where PACKAGE is the folder of @micropython/micropython-webassembly-pyscript

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, sketch] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(`${folder}/micropython.mjs`));

let printed = [];
const PICO_FREE_BYTES = 192 * 1024; // what MicroPython leaves of a Pico's 264 KB
const python = await loadMicroPython({ heapsize: PICO_FREE_BYTES, stdout: (line) => printed.push(line), linebuffer: true });

python.FS.writeFile("/table_controller.py", readFileSync(sketch, "utf8"));
python.FS.writeFile("/machine.py", `
levels = {}

class Pin:
    IN = 0
    PULL_UP = 1

    def __init__(self, number, *_):
        self.number = number

    def value(self):
        return levels.get(self.number, 1)

class PWM:
    sounding = False

    def __init__(self, pin):
        pass

    def freq(self, hertz):
        pass

    def duty_u16(self, duty):
        PWM.sounding = duty > 0
`);
python.FS.writeFile("/neopixel.py", `
lit = []

class NeoPixel:
    def __init__(self, pin, count):
        self.set = [(0, 0, 0)] * count

    def __setitem__(self, place, colour):
        self.set[place] = colour

    def write(self):
        lit[:] = self.set
`);
python.FS.writeFile("/select.py", "POLLIN = 1\npoll = None\n"); // this build has none; only the sketch's own loop asks for it
python.runPython(`
import sys
sys.path.append("/")
import machine, neopixel
import table_controller as sketch

def steps(controller, first_ms, last_ms):
    for now_ms in range(first_ms + 1, last_ms + 1):
        controller.step(now_ms)
`);

createInterface({ input: process.stdin }).on("line", (line) => {
  printed = [];
  let fault = null;
  try {
    python.runPython(JSON.parse(line));
  } catch (error) {
    fault = String(error.message);
  }
  process.stdout.write(JSON.stringify([printed.join("\n"), fault]) + "\n");
});
