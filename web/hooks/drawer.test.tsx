import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { useSearchParams } from '../router/react.tsx'
import { render } from '../testing/render.tsx'
import { useDrawer } from './place.ts'

function Page() {
  const { open } = useDrawer()
  const [parameters, setParameters] = useSearchParams()
  const buttons = {
    one: () => open('one'),
    other: () => open('other'),
    close: () => open(undefined),
    turn: () => setParameters([...parameters, ['after', 'x']]),
  }
  return Object.entries(buttons).map(([name, press]) => (
    <button key={name} type="button" onClick={press}>
      {name}
    </button>
  ))
}

describe('drawer in the address', () => {
  /** Returns the address and the length of the history after presses of buttons; `back` is the browser's own. */
  async function after(at: string, ...presses: ('one' | 'other' | 'close' | 'turn' | 'back')[]) {
    const page = render(<Page />, { at })
    for (const press of presses) {
      if (press === 'back') page.goBack()
      else await page.user.click(await screen.findByRole('button', { name: press }))
    }
    return [page.address(), page.entries()]
  }

  test('drawer: one history entry, whatever it shows', async () => {
    assert.deepEqual(await after('/?view=issues', 'one', 'other'), ['/?view=issues&open=other', 2])
  })

  for (const [title, presses, expected] of [
    ['closing goes back', ['one', 'other', 'close'], ['/?view=issues', 2]],
    ['Back closes', ['one', 'back'], ['/?view=issues', 2]],
    ['closing after Back and opening again goes back', ['one', 'back', 'other', 'close'], ['/?view=issues', 2]],
    ['closing keeps what changed meanwhile', ['one', 'turn', 'close'], ['/?view=issues&after=x', 3]],
  ] as const) {
    test(`drawer: ${title}`, async () => assert.deepEqual(await after('/?view=issues', ...presses), expected))
  }

  test('drawer: closing a drawer that the address opened stays on the page', async () => {
    assert.deepEqual(await after('/?view=issues&open=one', 'close'), ['/?view=issues', 1])
  })
})
