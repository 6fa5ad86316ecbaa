import { ApiError, type Fault } from '../../src/client/api/client.ts'

/** A refusal by the server, or a failure to reach it, with the status 0. */
export class Refusal extends ApiError {}

export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(0, 'console-error', [{ detail: error instanceof Error ? error.message : String(error) }])
}

interface Source {
  readonly pointer?: string
  readonly parameter?: string
}

/** Reads refusals of both API styles: JSON:API error documents, and the plain bodies of v1. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const requestId = response.headers.get('snyk-request-id') ?? undefined
  const body = (await response.json().catch(() => undefined)) as
    | {
        errors?: { code?: string; detail: string; source?: Source }[]
        errorCode?: string
        message?: string
        faults?: { detail: string; source?: Source }[]
      }
    | undefined
  const errors = body?.errors ?? body?.faults ?? (body?.message === undefined ? [] : [{ detail: body.message }])
  const faults = errors.map(({ detail, source }: { detail: string; source?: Source }): Fault => {
    const at = source?.pointer ?? source?.parameter
    return { detail, ...(at !== undefined && { at }) }
  })
  const code = body?.errors?.[0]?.code ?? body?.errorCode ?? 'no-error-document'
  const fallback = { detail: `The server answered ${response.status} without a reason` }
  return new Refusal(response.status, code, faults.length > 0 ? faults : [fallback], requestId)
}
