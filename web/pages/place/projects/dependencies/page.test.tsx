import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { readProject } from '../../../../api/projects.ts'
import { render } from '../../../../testing/render.tsx'
import { useConsoleServer } from '../../../../testing/server.ts'
import { ProjectDependencies } from './page.tsx'

const graph = {
  shop: ['a@1.0.0', 'b@1.0.0'],
  'a@1.0.0': [],
  'b@1.0.0': ['c@1.0.0'],
  'c@1.0.0': ['bad@1.0.0', 'fine@1.0.0'],
  'bad@1.0.0': [],
  'fine@1.0.0': [],
}

describe('dependencies page of a project', () => {
  const server = useConsoleServer()
  const open = async (at = '/') => {
    server().connect()
    const { orgId } = server()
    const issues = [{ id: 'TREE-1', in: 'bad@1.0.0', severity: 'high' }] as const
    const { projectId } = await recordProject(server(), { name: 'tree', graph, issues })
    const page = render(<ProjectDependencies orgId={orgId} project={await readProject(orgId, projectId)} />, { at })
    await screen.findByRole('tree')
    return page
  }
  const outline = () =>
    screen.getAllByRole('treeitem').map((row) => {
      const mark = { true: '-', false: '+' }[row.getAttribute('aria-expanded') ?? ''] ?? ' '
      const words = [...row.children].slice(1).map(({ textContent }) => textContent)
      return `${row.getAttribute('aria-level')}${mark}${words.filter((word) => word !== '').join(' ')}`
    })
  const opened = ['1-shop', '2-b 1.0.0', '3-c 1.0.0', '4 bad 1.0.0 high', '4 fine 1.0.0', '2 a 1.0.0']

  test('dependency tree: paths to affected packages are expanded; a filter hides the others', async () => {
    const { user, address } = await open()
    assert.deepEqual(outline(), opened)
    await user.click(screen.getByRole('checkbox', { name: 'Vulnerable paths only' }))
    assert.deepEqual(outline(), ['1-shop', '2-b 1.0.0', '3-c 1.0.0', '4 bad 1.0.0 high'])
    assert.equal(address(), '/?show=vulnerable')
  })

  test('dependency tree: the address contains the search, which expands paths to its hits', async () => {
    const { user, address } = await open('/?package=FIN')
    assert.deepEqual(outline(), ['1-shop', '2-b 1.0.0', '3-c 1.0.0', '4 fine 1.0.0'])
    screen.getByText('1 found.')
    await user.type(screen.getByRole('textbox', { name: 'Find a package' }), 'x')
    await screen.findByText('No package has this name.')
    assert.deepEqual(outline(), ['1 shop'])
    assert.equal(address(), '/?package=FINx')
  })

  test('dependency tree: arrow keys, Home, End and Enter move, expand and collapse', async () => {
    const { user } = await open()
    const tree = screen.getByRole('tree')
    tree.focus()
    const active = () => document.getElementById(tree.getAttribute('aria-activedescendant')!)?.textContent
    await user.keyboard('{ArrowDown}{ArrowLeft}')
    assert.deepEqual(outline(), ['1-shop', '2+b 1.0.0 high below', '2 a 1.0.0'])
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
    assert.match(active()!, /^bad/)
    await user.keyboard('{ArrowLeft}')
    assert.match(active()!, /c1\.0\.0$/)
    await user.keyboard('{End}')
    assert.match(active()!, /^a/)
    await user.keyboard('{Home}{Enter}')
    assert.deepEqual(outline(), ['1+shop high below'])
  })
})
