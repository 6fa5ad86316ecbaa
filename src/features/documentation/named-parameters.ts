import { ref } from './components.ts'
import { type Json, type OpenApi, operationsOf } from './openapi-document.ts'
import { pathParameters } from './path-parameters.ts'

/** Describes path parameters, and moves parameters that several operations share to the components. */
export function nameParameters(document: OpenApi): void {
  const shared = { ...document.components['parameters'] } as Record<string, Json>
  for (const { operation } of operationsOf(document)) {
    if (!operation.parameters) continue
    operation.parameters = operation.parameters.map((parameter) => {
      const described = withDescription(parameter)
      const name = nameOf(described)
      if (name === undefined) return described
      const { title: _title, ...schema } = described['schema'] as Json
      const own = { ...described, schema }
      shared[name] ??= own
      return JSON.stringify(shared[name]) === JSON.stringify(own) ? ref('parameters', name) : own
    })
  }
  document.components['parameters'] = shared
}

function withDescription(parameter: Json): Json {
  if (parameter['in'] !== 'path' || parameter['description'] !== undefined) return parameter
  const description = pathParameters[String(parameter['name'])]
  return description === undefined ? parameter : { ...parameter, description }
}

/** Returns the name of the component: the title of the schema, or the name of the path parameter. */
function nameOf(parameter: Json): string | undefined {
  if ('$ref' in parameter) return undefined
  const { title } = parameter['schema'] as Json
  if (typeof title === 'string') return title
  const name = String(parameter['name'])
  if (parameter['in'] !== 'path' || pathParameters[name] !== parameter['description']) return undefined
  const words = name.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  // The plain JSON interface spells parameter names as one word and accepts other values for them.
  return `${name.includes('_') ? '' : 'V1'}${words.join('')}`
}
