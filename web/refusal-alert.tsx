import { toRefusal } from './api/refusal.ts'
import { serverPaths } from './paths.ts'
import { ProblemAlert } from './ui/problem-alert.tsx'

interface Props {
  readonly title: string
  readonly error: unknown
  readonly onRetry?: () => void
}

/** A refusal with its documentation; what the console itself says has none. */
export function RefusalAlert({ title, error, onRetry }: Props) {
  const { status, code, faults, requestId } = toRefusal(error)
  const isDocumented = status !== 0 && code !== 'no-error-document'
  return (
    <ProblemAlert
      title={title}
      details={faults.map(({ detail }) => detail)}
      code={status === 0 ? undefined : code}
      href={isDocumented ? serverPaths.error(code) : undefined}
      requestId={requestId}
      onRetry={onRetry}
    />
  )
}

/** What the server said about one field of a form. */
export function faultOf(error: unknown, field: string): string | undefined {
  return error === null ? undefined : toRefusal(error).faults.find((fault) => fault.field === field)?.detail
}
