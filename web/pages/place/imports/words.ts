import type { Progress } from '../../../api/imports.ts'
import type { ImportManifest, ImportState } from '../../../api/resources.ts'
import type { Tone } from '../../../ui/state-badge.tsx'

export const states: Readonly<Record<ImportState, { tone: Tone; word: string }>> = {
  pending: { tone: 'busy', word: 'running' },
  complete: { tone: 'good', word: 'complete' },
  failed: { tone: 'bad', word: 'failed' },
  aborted: { tone: 'quiet', word: 'stopped' },
}

/** A complete import may have manifests that could not be tested. */
export function stateOf({ state, manifests }: Progress): { tone: Tone; word: string } {
  if (state === 'complete' && manifests.failed > 0) return { tone: 'warning', word: 'with failures' }
  return states[state]
}

export const manifestStates: Readonly<Record<ImportManifest['attributes']['state'], { tone: Tone; word: string }>> = {
  waiting: { tone: 'busy', word: 'waiting' },
  done: { tone: 'good', word: 'imported' },
  failed: { tone: 'bad', word: 'failed' },
}

export function countManifests({ manifests: { waiting, done, failed } }: Progress): number {
  return waiting + done + failed
}

export function describeProgress(progress: Progress): string {
  const { state, is_listed } = progress
  const { waiting, done, failed } = progress.manifests
  const all = countManifests(progress)
  if (all === 0 && state === 'pending') return 'Looking for manifests…'
  if (all === 0) return is_listed ? 'No supported manifest' : 'No manifests'
  const parts = [`${done.toLocaleString()} of ${all.toLocaleString()} imported`]
  if (failed > 0) parts.push(`${failed.toLocaleString()} failed`)
  if (waiting > 0) parts.push(`${waiting.toLocaleString()} ${state === 'pending' ? 'waiting' : 'not tried'}`)
  return parts.join(', ')
}
