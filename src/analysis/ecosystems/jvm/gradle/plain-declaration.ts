import type { Declared } from './declared.ts'

/** Defaults of a product declaration with only a module and a version. */
export const plainDeclaration = {
  kind: 'dependency',
  isDev: false,
  isBuild: false,
  isTransitive: true,
  capabilities: [],
  exclusions: [],
} as const satisfies Partial<Declared>
