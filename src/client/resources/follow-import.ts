import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Operations } from '../api/client.ts'
import type { OpenServer } from '../open-server.ts'
import { printable } from '../printable.ts'

export type Import = Answer<'getImport'>['data']

export interface FollowContext {
  readonly signal: AbortSignal
  onProgress(text: string): void
}

/** Intervals between two looks: short imports end soon, long ones should cost little. */
const FIRST_MS = 200
const LONGEST_MS = 3_000

/** Waits for the end of an import and returns it. */
export async function followImport(
  { client }: OpenServer,
  params: Operations['getImport']['params'],
  context: FollowContext,
): Promise<Import> {
  const { signal, onProgress } = context
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 1.5, LONGEST_MS)) {
    const { data } = await client.call('getImport', { params, signal })
    if (data.attributes.state !== 'pending') return data
    onProgress(describe(data))
    await sleep(wait, undefined, { signal })
  }
}

function describe({ attributes: { name, manifests, started_at, listed_at } }: Import): string {
  if (started_at === null) return `Waiting for the import of ${printable(name)}`
  const { waiting, done, failed } = manifests
  const total = waiting + done + failed
  if (listed_at === null) return `Looking for manifests in ${printable(name)}`
  return `Importing ${printable(name)}: ${done + failed} of ${total} manifests`
}
