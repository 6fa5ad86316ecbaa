import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import type { Counts, Trend, TrendPoint } from '../api/overview.ts'
import { render } from '../testing/render.tsx'
import { FlowChart, OpenIssuesChart } from './trend-charts.tsx'

const none = { critical: 0, high: 0, medium: 0, low: 0 }

function point(date: string, { open = {}, opened = {}, fixed = {} }: Record<string, Partial<Counts>>): TrendPoint {
  return {
    date,
    open: { ...none, ...open },
    opened: { ...none, ...opened },
    fixed: { ...none, ...fixed },
    ignored: none,
    removed: none,
  }
}

function trendOf(points: TrendPoint[]): Trend {
  const mean = { critical: null, high: null, medium: null, low: null }
  return { from: '2026-03-01', to: '2026-03-31', since: '2026-03-06', interval: 'day', mean_days_to_fix: mean, points }
}

// From a Friday to the Monday after it.
const trend = trendOf([
  point('2026-03-06', { open: { high: 4 }, opened: { high: 4 } }),
  point('2026-03-07', { open: { high: 1, low: 1_200 }, opened: { low: 1_200 }, fixed: { high: 3 } }),
  point('2026-03-08', { open: { high: 1, low: 1_200 } }),
  point('2026-03-09', { open: { high: 2, low: 1_200 }, opened: { high: 1 } }),
])

describe('charts of trends', () => {
  test('chart while the trend is read: says so, and offers the table', () => {
    render(<OpenIssuesChart trend={undefined} />)
    screen.getByRole('status', { name: 'Loading: Open issues by severity' })
    screen.getByRole('radiogroup', { name: 'Show Open issues by severity as' })
    assert.ok(screen.queryByRole('img') === null)
  })

  test('open issues: the areas are named with their change, without severities that never had an issue', async () => {
    render(<OpenIssuesChart trend={trend} />)
    const label = 'Open issues by severity, 4 → 1,202'
    const chart = await screen.findByRole('img', { name: label })
    assert.deepEqual(
      ['High', 'Low', '−2', '+1,200', '1,500'].filter(
        (text) => !chart.textContent!.toLowerCase().includes(text.toLowerCase()),
      ),
      [],
    )
    assert.doesNotMatch(chart.textContent!, /critical|medium/)
    assert.equal(chart.querySelectorAll('path[d^=M]').length >= 2, true)
  })

  test('chart by keyboard: arrow keys move a cursor over the days, Escape hides it', async () => {
    const { user, container } = render(<OpenIssuesChart trend={trend} />)
    const slider = await screen.findByRole('slider', { name: /^Values: Open issues by severity/ })
    assert.equal(slider.getAttribute('aria-valuetext'), 'Mar 9, 2026: low 1,200, high 2')
    const shown = () => container.querySelector('ul')?.parentElement?.textContent
    assert.equal(shown(), undefined)
    slider.focus()
    await screen.findByText('Mar 9, 2026')
    fireEvent.change(slider, { target: { value: '0' } })
    assert.equal(shown(), 'Mar 6, 2026low 0high 4')
    assert.equal(slider.getAttribute('aria-valuetext'), 'Mar 6, 2026: low 0, high 4')
    await user.keyboard('{Escape}')
    assert.equal(shown(), undefined)
  })

  test('opened and fixed: sums of each week from Monday equal the figures above the chart', async () => {
    const { user } = render(<FlowChart trend={trend} />)
    const card = screen.getByRole('region', { name: 'Opened and fixed' })
    assert.match(card.textContent!, /Opened 1,205.*Fixed 3/)
    await screen.findByRole('img', { name: 'Opened and fixed per week: 1,205 opened, 3 fixed' })
    await user.click(within(card).getByRole('radio', { name: 'Table' }))
    const rows = within(card).getAllByRole('row')
    assert.deepEqual(
      rows.map((row) => [...row.children].map(({ textContent }) => textContent)),
      [
        ['Date', 'opened', 'fixed', 'ignored', 'removed'],
        ['Mar 9, 2026', '1', '0', '0', '0'],
        ['Mar 2, 2026', '1,204', '3', '0', '0'],
      ],
    )
  })

  test('open issues on the first day: says when the line begins', async () => {
    render(<OpenIssuesChart trend={trendOf([trend.points[0]!])} />)
    await screen.findByText('Trends start on Mar 6, 2026. The first line appears tomorrow.')
    assert.ok(screen.queryByRole('img') === null)
  })
})
