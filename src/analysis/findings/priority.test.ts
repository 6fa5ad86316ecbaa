import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PriorityFacts, toLicenseRisk, toPercent, toRisk } from './priority.ts'

const worst: PriorityFacts = {
  isExploited: true,
  severity: 'critical',
  epssScore: 1,
  cvssScore: 10,
  isDirect: true,
  hasFix: true,
}
const mildest: PriorityFacts = { isExploited: false, severity: 'low', cvssScore: 0.1, isDirect: false, hasFix: false }
const pointsOf = (...input: Parameters<typeof toRisk>) =>
  Object.fromEntries(toRisk(...input).factors.map(({ name, points }) => [name, points]))

test('risk score: each input has its points, up to 999', () => {
  const project = { criticalities: ['high', 'critical'], environments: ['backend', 'saas'], lifecycles: ['production'] }
  assert.deepEqual(pointsOf(worst, project), {
    exploited: 400,
    severity: 300,
    epss: 59,
    cvss: 20,
    direct: 10,
    fix: 10,
    criticality: 100,
    environment: 60,
    lifecycle: 40,
  })
  assert.equal(toRisk(worst, project).score, 999)
})

test('risk score: inputs without points are listed too', () => {
  const project = { criticalities: ['low'], environments: ['internal'], lifecycles: ['sandbox'] }
  assert.deepEqual(new Set(Object.values(pointsOf(mildest, project))), new Set([0]))
  const none = { criticalities: [], environments: [], lifecycles: [] }
  assert.deepEqual(
    toRisk(mildest, none).factors.map(({ description }) => description),
    [
      'In no synced catalog of exploited vulnerabilities',
      'Severity low',
      'EPSS unknown',
      'CVSS 0.1',
      'Only transitive',
      'No fixed version',
      'Business criticality not set',
      'No exposed environment set',
      'Not marked as production',
    ],
  )
})

test('risk score: a license issue has only its severity', () => {
  assert.deepEqual(toLicenseRisk('high'), {
    score: 200,
    factors: [{ name: 'severity', points: 200, description: 'Severity high' }],
  })
})

test('percent: two significant digits below 10%, whole ones above', () => {
  assert.deepEqual([0.000_43, 0.043_21, 0.099, 0.943_58, 1, 0].map(toPercent), [
    '0.043%',
    '4.3%',
    '9.9%',
    '94%',
    '100%',
    '0%',
  ])
})
