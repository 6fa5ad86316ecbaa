import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { render } from '../testing/render.tsx'
import { FixText } from './fix-text.tsx'
import { GateIcon } from './icons.tsx'
import { PathText } from './path-text.tsx'
import { Age, formatAge, RelativeTime } from './relative-time.tsx'
import { SecretOnce } from './secret-once.tsx'
import { SeverityBadge, SeverityCounts, severities } from './severity.tsx'
import { SeverityFilter } from './severity-filter.tsx'
import { StateBadge } from './state-badge.tsx'

test('fix: the number of further versions is not cut off with the first one', () => {
  render(<FixText fixedIn={['1.11.28', '2.2.10', '3.0.3']} />)
  assert.equal(screen.getByText('+2').textContent, '+2')
  assert.equal(screen.getByText(/^Fixed in/).textContent, 'Fixed in 1.11.28')
})

test('sign of the product: the same in the console, in tabs, and on the pages of the server', () => {
  const { container } = render(<GateIcon size={24} />)
  const shapesOf = (svg: string) =>
    [...svg.matchAll(/ (d|rx|fill|stroke|stroke-width|viewBox)="([^"]+)"/g)].map(([text]) => text).sort()
  for (const path of ['../public/icon.svg', '../../src/foundation/pages/assets/icon.svg']) {
    assert.deepEqual(
      shapesOf(container.innerHTML),
      shapesOf(readFileSync(new URL(path, import.meta.url), 'utf8')),
      path,
    )
  }
})

test('path: one text; the part that stays whole differs from those of the other paths', () => {
  const texts = [
    'services/pay/src/pom.xml',
    'services/order/src/pom.xml',
    'apps/web/b/package.json',
    'a/b/c.json',
    'frontend:b/go.mod',
  ]
  render(texts.map((text) => <PathText key={text} text={text} others={texts} />))
  const shown = texts.map((text) => screen.getByTitle(text))
  assert.deepEqual(
    shown.map(({ textContent }) => textContent),
    texts,
  )
  assert.deepEqual(
    shown.map(({ lastElementChild }) => lastElementChild!.textContent),
    ['/pay/src/pom.xml', '/order/src/pom.xml', '/b/package.json', 'a/b/c.json', ':b/go.mod'],
  )
})

describe('relative time', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')

  test('relative time: past times use the largest whole unit', () => {
    const words = ['2026-03-10T11:59:30Z', '2026-03-10T10:01:00Z', '2026-03-07T11:00:00Z', '2024-01-01T00:00:00Z'].map(
      (time) => formatAge(time, now),
    )
    const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
    assert.deepEqual(words, [
      format.format(-30, 'second'),
      format.format(-1, 'hour'),
      format.format(-3, 'day'),
      format.format(-2, 'year'),
    ])
  })

  test('relative time: future times count forward', () => {
    const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
    assert.equal(formatAge('2026-03-12T12:00:00Z', now), format.format(2, 'day'))
  })

  test('age: has the exact time as datetime and title', () => {
    const { container } = render(<Age time="2020-01-01T00:00:00.000Z" />)
    const time = container.querySelector('time')!
    assert.equal(time.getAttribute('datetime'), '2020-01-01T00:00:00.000Z')
    assert.match(time.title, /20/)
    assert.notEqual(time.title, time.textContent)
  })

  test('age and relative time: an invalid time is shown as unknown', () => {
    const { container } = render(
      <>
        <Age time="" />, <RelativeTime time="soon" />
      </>,
    )
    assert.ok(container.querySelector('time') === null)
    assert.equal(screen.getAllByText('unknown').length, 2)
  })
})

const sheet = readFileSync(new URL('./badge.module.css', import.meta.url), 'utf8')

/** Returns the color of the text of badges with a tone; style sheets are not applied here. */
function colorOf(tone: string): string {
  const [, color] = new RegExp(`\\[data-tone=['"]?${tone}['"]?\\][^}]*?\\n\\s*color: ([^;]+);`).exec(sheet) ?? []
  assert.ok(color, tone)
  return color
}

describe('badges', () => {
  test('severity badges: each severity has its word and its own color', () => {
    const { container } = render(severities.map((severity) => <SeverityBadge key={severity} severity={severity} />))
    const badges = [...container.querySelectorAll<HTMLElement>('[data-tone]')]
    assert.deepEqual(
      badges.map(({ textContent }) => textContent),
      ['critical', 'high', 'medium', 'low'],
    )
    assert.equal(new Set(badges.map(({ dataset }) => colorOf(dataset['tone']!))).size, 4)
  })

  test('severity counts: omit zeros and show "none" without issues', () => {
    const counts = { critical: 0, high: 1200, medium: 0, low: 3 }
    const { unmount } = render(<SeverityCounts counts={counts} />)
    screen.getByText(`${(1200).toLocaleString()} high`)
    screen.getByText('3 low')
    assert.ok(screen.queryByText(/critical|medium|none/) === null)
    unmount()
    render(<SeverityCounts counts={{ critical: 0, high: 0, medium: 0, low: 0 }} />)
    screen.getByText('none')
  })

  test('state badges: good and bad differ in color', () => {
    const { container } = render(
      <>
        <StateBadge tone="good">active</StateBadge>
        <StateBadge tone="bad">failing</StateBadge>
      </>,
    )
    const [good, bad] = [...container.querySelectorAll<HTMLElement>('[data-tone]')]
    assert.notEqual(colorOf(good!.dataset['tone']!), colorOf(bad!.dataset['tone']!))
  })
})

describe('severity filter', () => {
  const counts = { critical: 0, high: 2, medium: 0, low: 1 }

  test('severity filter: severities without issues are disabled unless chosen', async () => {
    const chosen: unknown[] = []
    const { user } = render(
      <SeverityFilter counts={counts} chosen="critical" onChoose={(severity) => chosen.push(severity)} />,
    )
    const button = (name: RegExp) => screen.getByRole('button', { name })
    assert.ok(button(/medium/).hasAttribute('disabled'))
    assert.equal(button(/critical/).getAttribute('aria-pressed'), 'true')
    await user.click(button(/critical/))
    await user.click(button(/high/))
    assert.deepEqual(chosen, [undefined, 'high'])
  })
})

describe('secret that is shown once', () => {
  test('secret shown once: the button copies it and says so', async () => {
    const { user } = render(<SecretOnce label="API key" secret="secret" />)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    await screen.findByRole('button', { name: 'Copied' })
    assert.equal(await navigator.clipboard.readText(), 'secret')
  })

  test('secret shown once: selected when the browser forbids copying', async () => {
    const { user } = render(<SecretOnce label="API key" secret="secret" />)
    Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('forbidden')) })
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    await screen.findByRole('button', { name: /Selected/ })
    const field = screen.getByLabelText('API key') as HTMLTextAreaElement
    assert.deepEqual([field.selectionStart, field.selectionEnd], [0, 6])
  })
})
