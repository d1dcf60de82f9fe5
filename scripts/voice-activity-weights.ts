/**
 * Writes lib/media/voice-activity/weights.bin from Silero's ONNX file, for when there is a newer version of it:
 * `node scripts/voice-activity-weights.ts PATH/TO/silero_vad.onnx`. README.md there says where the file is found.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Tensor = { dimensions: number[]; values: Float32Array };

const OUT = new URL('../lib/media/voice-activity/weights.bin', import.meta.url);
/** The network for 16 kHz is the branch that an ONNX `If` takes; its tensors carry the branch in their names. */
const BRANCH = 'If_0_then_branch__Inline_0__';

const [path = ''] = process.argv.slice(2);
const tensors = new Map<string, Tensor>();
collect(readFileSync(path));

const parts = [
  ...convolution('encoder.0.reparam_conv', { channels: 129, padTo: 132, taps: [0, 1, 2] }),
  ...convolution('encoder.1.reparam_conv', { channels: 128, padTo: 128, taps: [0, 1, 2] }),
  // Only two frames are left, then one: the other weights meet nothing but silence.
  ...convolution('encoder.2.reparam_conv', { channels: 64, padTo: 64, taps: [1, 2] }),
  ...convolution('encoder.3.reparam_conv', { channels: 64, padTo: 64, taps: [1] }),
  ...recurrent(),
  tensor('decoder.decoder.2.weight'),
  tensor('decoder.decoder.2.bias'),
  new Float32Array(3),
];
const all = Float32Array.from(parts.flatMap((part) => [...part]));
writeFileSync(OUT, new Uint8Array(all.buffer));
console.log(`${all.length} weights, ${all.byteLength} bytes`);

function tensor(name: string): Float32Array {
  const found = tensors.get(`${BRANCH}${name}`);
  if (!found) throw new Error(`The file has no tensor ${BRANCH}${name}`);
  return found.values;
}

/** Rows of weights over neighbouring frames, frame after frame, each padded to `padTo` channels; then the bias. */
function convolution(
  name: string,
  { channels, padTo, taps }: { channels: number; padTo: number; taps: number[] },
): Float32Array[] {
  const weights = tensor(`${name}.weight`);
  const bias = tensor(`${name}.bias`);
  const rows = new Float32Array(bias.length * taps.length * padTo);
  for (let row = 0; row < bias.length; row += 1)
    for (const [place, tap] of taps.entries())
      for (let channel = 0; channel < channels; channel += 1)
        rows[(row * taps.length + place) * padTo + channel] =
          weights[(row * channels + channel) * 3 + tap] ?? 0;
  return [rows, bias];
}

/** Rows over input and hidden state side by side. */
function recurrent(): Float32Array[] {
  const [input, hidden] = [tensor('decoder.rnn.weight_ih'), tensor('decoder.rnn.weight_hh')];
  const [inputBias, hiddenBias] = [tensor('decoder.rnn.bias_ih'), tensor('decoder.rnn.bias_hh')];
  const rows = new Float32Array(input.length * 2);
  for (let row = 0; row < inputBias.length; row += 1) {
    rows.set(input.subarray(row * 128, row * 128 + 128), row * 256);
    rows.set(hidden.subarray(row * 128, row * 128 + 128), row * 256 + 128);
  }
  return [rows, inputBias.map((value, row) => value + (hiddenBias[row] ?? 0))];
}

/**
 * Finds tensors of floats at any depth of the Protocol Buffers of ONNX: model → graph → node → attribute → graph or
 * tensor. A constant's name is the output of its node.
 */
function collect(message: Buffer): void {
  for (const { field, bytes } of fieldsOf(message)) if (field === 7 && bytes) collectGraph(bytes);
}

function collectGraph(graph: Buffer): void {
  for (const { field, bytes } of fieldsOf(graph)) if (field === 1 && bytes) collectNode(bytes);
}

function collectNode(node: Buffer): void {
  const fields = [...fieldsOf(node)];
  const output = fields.find(({ field }) => field === 2)?.bytes?.toString() ?? '';
  for (const attribute of fields.filter(({ field }) => field === 5)) {
    for (const { field, bytes } of fieldsOf(attribute.bytes ?? Buffer.alloc(0))) {
      if (field === 6 && bytes) collectGraph(bytes);
      if (field === 5 && bytes) collectTensor(output, bytes);
    }
  }
}

function collectTensor(name: string, bytes: Buffer): void {
  const fields = [...fieldsOf(bytes)];
  const raw = fields.find(({ field }) => field === 9)?.bytes;
  const isFloats = fields.find(({ field }) => field === 2)?.value === 1;
  if (!raw || !isFloats) return;
  const dimensions = fields.flatMap(({ field, value }) => (field === 1 && value ? [value] : []));
  tensors.set(name, { dimensions, values: new Float32Array(new Uint8Array(raw).buffer) });
}

function* fieldsOf(message: Buffer): Generator<{ field: number; value?: number; bytes?: Buffer }> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const [field, wire] = [key >> 3, key & 7];
    if (wire === 0) yield { field, value: varint() };
    else {
      const size = wire === 2 ? varint() : wire === 1 ? 8 : 4;
      yield { field, bytes: message.subarray(at, at + size) };
      at += size;
    }
  }
}
