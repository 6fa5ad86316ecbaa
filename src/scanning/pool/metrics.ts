import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { TestPool } from './test-pool.ts'

export type TestOutcome = 'clean' | 'issues' | 'partial' | 'refused'

export interface TestMetrics {
  /** Starts timing a test and returns a function to call with the outcome. */
  begin(ecosystem: string): (outcome: TestOutcome) => void
}

export function createTestMetrics(registry: Registry, pool: TestPool): TestMetrics {
  const duration = new Histogram({
    name: 'gatehouse_package_test_duration_seconds',
    help: 'Time of a package test, by ecosystem',
    labelNames: ['ecosystem'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2.5, 10, 60],
    registers: [registry],
  })
  // Only this counter is labeled by outcome: each label set of a histogram takes ten lines.
  const tested = new Counter({
    name: 'gatehouse_package_tests_total',
    help: 'Package tests, by ecosystem and outcome',
    labelNames: ['ecosystem', 'outcome'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'gatehouse_package_tests_waiting',
    help: 'Package tests that wait for a thread',
    registers: [registry],
    collect() {
      this.set(pool.waiting)
    },
  })
  new Gauge({
    name: 'gatehouse_package_tests_open',
    help: 'Package tests that were begun and not answered yet',
    registers: [registry],
    collect() {
      this.set(pool.open)
    },
  })
  return {
    begin(ecosystem) {
      const end = duration.startTimer({ ecosystem })
      return (outcome) => {
        end()
        tested.inc({ ecosystem, outcome })
      }
    },
  }
}
