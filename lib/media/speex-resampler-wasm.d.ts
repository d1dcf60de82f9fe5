/** The package comes without types. Pointers and states are offsets into the module's memory. */
declare module '@echogarden/speex-resampler-wasm/simd' {
  type SpeexModule = {
    HEAP16: Int16Array;
    HEAPU32: Uint32Array;
    _malloc(sizeBytes: number): number;
    _speex_resampler_init(
      channels: number,
      fromHz: number,
      toHz: number,
      quality: number,
      error: number,
    ): number;
    _speex_resampler_destroy(state: number): void;
    /** In samples at the rate that comes out. */
    _speex_resampler_get_output_latency(state: number): number;
    /** The counts are read and written: how many there are, how many were taken and made. */
    _speex_resampler_process_int(
      state: number,
      channel: number,
      input: number,
      inputCount: number,
      output: number,
      outputCount: number,
    ): number;
  };
  export default function open(): Promise<SpeexModule>;
}
