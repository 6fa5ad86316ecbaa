import { type OpenApi, operationsOf } from './openapi-document.ts'
import { withUsedComponents } from './used-components.ts'

/** Returns the document of one operation; undefined if no operation has this id. */
export function documentOfOperation(document: OpenApi, operationId: string): OpenApi | undefined {
  const match = operationsOf(document).find(({ operation }) => operation.operationId === operationId)
  if (match === undefined) return undefined
  const { webhooks: _webhooks, ...rest } = document
  return withUsedComponents({ ...rest, tags: [], paths: { [match.path]: { [match.method]: match.operation } } })
}
