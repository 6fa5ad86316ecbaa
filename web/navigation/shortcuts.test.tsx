import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { render } from '../testing/render.tsx'
import { areSingleKeysOn, listenForShortcuts, switchSingleKeys } from './shortcuts.ts'

const names = ['one', 'two', 'three']

function List({ done }: { done: string[] }) {
  useEffect(() => {
    const listener = listenForShortcuts({
      place: { kind: 'orgs', id: 'org' },
      goTo: (path) => done.push(path),
      showMap: () => done.push('map'),
    })
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [done])
  return (
    <main>
      <input aria-label="Words" aria-keyshortcuts="f" />
      <button type="button" aria-keyshortcuts="i" onClick={() => done.push('ignore')}>
        Ignore
      </button>
      <button type="button" aria-keyshortcuts="Escape" onClick={() => done.push('clear')}>
        Clear selection
      </button>
      <table>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <td>
                <input type="checkbox" aria-label={`Select ${name}`} />
                <a href={`#${name}`}>{name}</a>
                <button type="button" aria-expanded="false" onClick={() => done.push(`expand ${name}`)}>
                  Details
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}

/** A dialog that Escape removes before other listeners see the key. */
function Dialog() {
  const [isOpen, setOpen] = useState(true)
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && flushSync(() => setOpen(false))
    window.addEventListener('keydown', close, { capture: true })
    return () => window.removeEventListener('keydown', close, { capture: true })
  }, [])
  return (
    isOpen && (
      <div role="dialog" aria-label="Ignore">
        <button type="button">Cancel</button>
      </div>
    )
  )
}

describe('keys', () => {
  const open = () => {
    const done: string[] = []
    return { ...render(<List done={done} />), done }
  }
  const focused = () => document.activeElement?.textContent
  const selected = () =>
    names.filter((name) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` }).checked)

  test('keys: j and k move between rows and stop at the ends', async () => {
    const { user } = open()
    await user.keyboard('jj')
    assert.equal(focused(), 'two')
    await user.keyboard('kkk')
    assert.equal(focused(), 'one')
  })

  test('keys: x selects the row, Shift X all rows from the last selected one; the arrow expands it', async () => {
    const { user, done } = open()
    await user.keyboard('jx')
    assert.deepEqual(selected(), ['one'])
    await user.keyboard('jjX')
    assert.deepEqual(selected(), names)
    await user.keyboard('{ArrowRight}')
    assert.deepEqual(done, ['expand three'])
  })

  test('keys: g and a letter go to a page, ? shows the map, and buttons and fields have their keys', async () => {
    const { user, done } = open()
    for (const keys of ['gi', 'gp', '?', 'i', 'z']) await user.keyboard(keys)
    assert.deepEqual(done, ['/orgs/org/issues', '/orgs/org/projects', 'map', 'ignore'])
    await user.keyboard('f')
    assert.ok(document.activeElement === screen.getByLabelText('Words'))
  })

  test('keys: Escape that closes a dialog does not reach the page behind it', async () => {
    const { user, done } = open()
    render(<Dialog />)
    screen.getByRole('button', { name: 'Cancel' }).focus()
    await user.keyboard('{Escape}')
    assert.deepEqual([screen.queryByRole('dialog'), done], [null, []])
    await user.keyboard('{Escape}')
    assert.deepEqual(done, ['clear'])
  })

  test('keys: nothing happens while someone types, beside Ctrl, or when single keys are switched off', async () => {
    const { user, done } = open()
    await user.type(screen.getByLabelText('Words'), 'i?gi')
    ;(document.activeElement as HTMLElement).blur()
    await user.keyboard('{Control>}i{/Control}')
    switchSingleKeys('off')
    await user.keyboard('i?')
    assert.deepEqual([done, areSingleKeysOn()], [[], false])
    switchSingleKeys('on')
    await user.keyboard('i')
    assert.deepEqual(done, ['ignore'])
  })
})
