import type { Declared } from './declared.ts'

/** The parts of a declaration for the product that gives nothing but a module and its version. */
export const plainDeclaration = {
  kind: 'dependency',
  isDev: false,
  isBuild: false,
  isTransitive: true,
  capabilities: [],
  exclusions: [],
} as const satisfies Partial<Declared>
