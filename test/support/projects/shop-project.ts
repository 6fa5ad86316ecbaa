import type { ProjectInput } from './recorded-projects.ts'

/** The issue of `shop` that is introduced through two dependency paths. */
export const deep = 'GHSA-aaaa-bbbb-cccc'

/** The issue of a direct dependency of `shop`, which an upgrade fixes. */
export const direct = 'GHSA-dddd-eeee-ffff'

/** A small project with a high and a critical issue. */
export const shop = {
  name: 'team/shop:package.json',
  graph: {
    shop: ['left@1.0.0', 'right@2.0.0'],
    'left@1.0.0': ['deep@3.0.0'],
    'right@2.0.0': ['deep@3.0.0'],
    'deep@3.0.0': [],
  },
  issues: [
    { id: deep, in: 'deep@3.0.0', severity: 'high' },
    { id: direct, in: 'left@1.0.0', severity: 'critical', upgradable: ['left@1.0.0'] },
  ],
} satisfies ProjectInput
