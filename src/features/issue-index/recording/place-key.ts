export interface ProjectLocation {
  /** Package manager, as projects name it. */
  readonly type: string
  readonly targetFile: string | null
  readonly targetReference: string | null
}

/** Returns the key of a project's place: tests of a target with the same key update the same project. */
export function placeKeyOf({ type, targetFile, targetReference }: ProjectLocation): string {
  return JSON.stringify([type, targetFile, targetReference])
}
