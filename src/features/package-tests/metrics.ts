import { Gauge, Histogram, type Registry } from 'prom-client'
import type { TestPool } from './pool.ts'

export type TestOutcome = 'clean' | 'issues' | 'partial' | 'refused'

export interface TestMetrics {
  /** Starts timing a test; call what it returns with the outcome. */
  begin(ecosystem: string): (outcome: TestOutcome) => void
}

export function createTestMetrics(registry: Registry, pool: TestPool): TestMetrics {
  const duration = new Histogram({
    name: 'gatehouse_package_test_duration_seconds',
    help: 'Time of a package test, by ecosystem and outcome',
    labelNames: ['ecosystem', 'outcome'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
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
      return (outcome) => void end({ outcome })
    },
  }
}
