import type { Refusal } from '../../api/refusal.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'

interface Props {
  readonly attempt: { readonly isRunning: boolean; readonly error?: unknown }
  /** The reason why the previous session ended. */
  readonly ended?: Refusal | undefined
}

/** Shows why a sign-in failed, or why the user was signed out before. */
export function FailedAttempt({ attempt: { isRunning, error }, ended }: Props) {
  const refusal = error ?? ended
  if (refusal === undefined || isRunning) return null
  return <RefusalAlert title={error === undefined ? 'You were signed out' : 'Not signed in'} error={refusal} />
}
