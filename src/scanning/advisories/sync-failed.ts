/** A sync that could not be finished and changed nothing; `message` says what the source lacks, for the operator. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed'
}
