import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { render } from '../testing/render.tsx'
import { Faults } from './faults.tsx'

function Pages() {
  const [page, setPage] = useState('broken')
  return (
    <>
      <button type="button" onClick={() => setPage('whole')}>
        Next page
      </button>
      <Faults resetKey={page}>{page === 'broken' ? <BrokenPage /> : <p>A whole page</p>}</Faults>
    </>
  )
}

function BrokenPage(): never {
  throw new Error('This page has a fault')
}

test('a page that fails shows an error, and the next page is shown normally', async () => {
  const { user } = render(<Pages />)
  assert.ok(await screen.findByText('This page has a fault'))
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  assert.ok(await screen.findByText('A whole page'))
  assert.ok(screen.queryByText('This page has a fault') === null)
})
