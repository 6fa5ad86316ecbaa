export interface Place {
  /** Package manager, as projects name it. */
  readonly type: string
  readonly targetFile: string | null
  readonly targetReference: string | null
}

/** Returns the key by which two tests of a target mean the same project. */
export function placeKeyOf({ type, targetFile, targetReference }: Place): string {
  return JSON.stringify([type, targetFile, targetReference])
}
