import { toRefusal } from '../api/refusal.ts'
import { serverPaths } from '../navigation/paths.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

interface Props {
  readonly title: string
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Statuses of refusals for which repeating the request does not help. */
const FINAL_STATUSES: readonly number[] = [400, 404, 410, 422]

/** Shows a refusal with a link to its documentation, and a button to try again if that may help. */
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
      onRetry={FINAL_STATUSES.includes(status) ? undefined : onRetry}
    />
  )
}

interface ReadingProps {
  readonly title: string
  readonly reading: { readonly error: unknown; refetch(): unknown }
}

/** Shows why data cannot be read, if that is so, with a button to try again. */
export function ReadingAlert({ title, reading: { error, refetch } }: ReadingProps) {
  return error === null ? null : <RefusalAlert title={title} error={error} onRetry={() => void refetch()} />
}

/** Returns the server's message about a form field; `field` may be the end of a JSON pointer. */
export function faultOf(error: unknown, field: string): string | undefined {
  if (error === null) return undefined
  return toRefusal(error).faults.find(({ at }) => at !== undefined && `/${at}/`.includes(`/${field}/`))?.detail
}
