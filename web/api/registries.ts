import type { Registry } from './resources.ts'

export const registries: readonly Registry[] = ['npm', 'Maven', 'PyPI', 'RubyGems', 'Go']
