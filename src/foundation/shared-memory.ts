/** Size up to which bodies are joined when complete: growing memory is allocated by the system page by page. */
const JOINED_BYTES = 4 * 1024 * 1024

const counted = new WeakMap<object, ArrayBuffer>()

/**
 * Makes V8 count shared memory of this thread. V8 counts a `SharedArrayBuffer` as nothing, so unused ones would never
 * trigger a garbage collection. An untouched `ArrayBuffer` of the same size, which takes no physical memory, is counted
 * while the shared one is in use.
 */
export function countSharedMemory({ buffer }: Uint8Array): void {
  if (!(buffer instanceof SharedArrayBuffer) || counted.has(buffer)) return
  counted.set(buffer, new ArrayBuffer(buffer.byteLength))
}

/** Collects bytes in memory that other threads read without a copy. */
export class SharedBytes {
  readonly #maxBytes: number
  #parts: Uint8Array[] = []
  #length = 0
  #memory: SharedArrayBuffer | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Copies bytes. The total must not exceed the maximum. */
  add(bytes: Uint8Array): void {
    const from = this.#length
    this.#length += bytes.length
    if (this.#memory) this.#append(this.#memory, bytes, from)
    else {
      this.#parts.push(bytes)
      if (this.#length > JOINED_BYTES) {
        // The system allocates memory only for written pages.
        this.#memory = new SharedArrayBuffer(0, { maxByteLength: this.#maxBytes })
        this.#appendParts(this.#memory)
      }
    }
  }

  /** Returns all bytes; call once. */
  take(): Uint8Array {
    const memory = this.#memory ?? new SharedArrayBuffer(this.#length)
    if (!this.#memory) this.#appendParts(memory)
    this.#memory = undefined
    const whole = new Uint8Array(memory, 0, this.#length)
    countSharedMemory(whole)
    return whole
  }

  #appendParts(memory: SharedArrayBuffer): void {
    let at = 0
    for (const part of this.#parts) {
      this.#append(memory, part, at)
      at += part.length
    }
    this.#parts = []
  }

  #append(memory: SharedArrayBuffer, bytes: Uint8Array, at: number): void {
    if (memory.byteLength < at + bytes.length) memory.grow(at + bytes.length)
    new Uint8Array(memory, at, bytes.length).set(bytes)
  }
}
