/** Thrown if a sync fails; nothing was changed. `message` tells the operator what is wrong with the source. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed'
}
