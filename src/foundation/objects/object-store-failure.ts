/** Kinds of failures: no usable answer; refused credentials or bucket; a location of another installation. */
export type ObjectStoreFault = 'unreachable' | 'refused' | 'foreign'

/** A failed request to the object store. The message names its address, for operators only, and no secrets. */
export class ObjectStoreFailed extends Error {
  override readonly name = 'ObjectStoreFailed'
  readonly fault: ObjectStoreFault

  constructor(fault: ObjectStoreFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.fault = fault
  }
}
