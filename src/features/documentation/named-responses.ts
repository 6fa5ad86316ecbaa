import { ref } from './components.ts'
import { apiStyleOf, type Json, type OpenApi, operationsOf } from './openapi-document.ts'

/** Moves responses that several operations share to the components. */
export function nameResponses(document: OpenApi): void {
  const places = operationsOf(document).flatMap(({ path, operation: { responses } }) =>
    Object.entries(responses)
      .filter(([, response]) => !('$ref' in response))
      .map(([status, response]) => ({
        responses,
        status,
        name: nameOf(path, status, response),
        text: JSON.stringify(response),
      })),
  )
  const counts = new Map<string, number>()
  for (const { text } of places) counts.set(text, (counts.get(text) ?? 0) + 1)
  const shared: Record<string, string> = {}
  for (const { responses, status, name, text } of places) {
    if (name === undefined || counts.get(text) === 1) continue
    shared[name] ??= text
    if (shared[name] === text) responses[status] = ref('responses', name)
  }
  const entries = Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1))
  Object.assign(
    document.components['responses']!,
    Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text) as Json])),
  )
}

/** Names a response by its resource and, where responses differ, by its kind: read, created, or deprecated. */
function nameOf(path: string, status: string, { content, headers = {} }: Json): string | undefined {
  const [media] = Object.values((content ?? {}) as Record<string, { schema: Json }>)
  const schema = (media?.schema['$ref'] as string | undefined)?.split('/').at(-1)
  if (media && schema === undefined) return undefined
  const isRepeatable = 'idempotency-replayed' in (headers as Json)
  const qualities = [
    status === '201' && 'Created',
    status === '202' && 'Accepted',
    status === '200' && isRepeatable && 'Changed',
    'sunset' in (headers as Json) && 'Deprecated',
  ]
  const subject = schema ?? (apiStyleOf(path) === 'v1' ? 'V1Nothing' : 'Nothing')
  return [subject, ...qualities.filter((quality) => quality !== false)].join('')
}
