import { toRefusal } from '../api/refusal.ts'
import { serverPaths } from '../navigation/paths.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

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

/** Returns the server's message about a form field; `field` may be the end of a JSON pointer. */
export function faultOf(error: unknown, field: string): string | undefined {
  if (error === null) return undefined
  return toRefusal(error).faults.find(({ at }) => at !== undefined && `/${at}/`.includes(`/${field}/`))?.detail
}
