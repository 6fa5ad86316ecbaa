/** Thrown if a sync fails; nothing was changed. `message` tells the operator what is wrong with the source. */
export class SyncFailed extends Error {
  override readonly name: string = 'SyncFailed'
}

/** Thrown if a source has no archive for a registry. */
export class NoArchive extends SyncFailed {
  override readonly name = 'NoArchive'
}
