import { type OpenApi, operationsOf } from './openapi-document.ts'
import { withUsedComponents } from './used-components.ts'

/** Returns the document of one operation; undefined if no operation has this id. */
export function documentOfOperation(document: OpenApi, operationId: string): OpenApi | undefined {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId)
  if (found === undefined) return undefined
  const { webhooks: _webhooks, ...rest } = document
  return withUsedComponents({ ...rest, tags: [], paths: { [found.path]: { [found.method]: found.operation } } })
}
