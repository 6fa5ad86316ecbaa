import { type KeyboardEvent, type UIEvent, useMemo, useRef, useState } from 'react'
import { listRows, type Tree, type TreeNode, type TreeRow } from './tree.ts'

export const ROW_HEIGHT = 32
export const VIEW_HEIGHT = 560
/** Rows in the document above and below the visible ones. */
const MARGIN_ROWS = 8

interface Options {
  readonly tree: Tree
  readonly initial: ReadonlySet<string>
  readonly isShown: (node: TreeNode) => boolean
}

/** Manages the expanded, active and visible rows of a tree. Only the visible ones are in the document. */
export function useTree({ tree, initial, isShown }: Options) {
  const [expanded, setExpanded] = useState(initial)
  const [activeKey, setActiveKey] = useState('0')
  const [scrollTop, setScrollTop] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => listRows(tree, expanded, isShown), [tree, expanded, isShown])
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  )

  function toggle({ key, isExpanded }: TreeRow) {
    if (isExpanded === undefined) return
    setExpanded((now) => new Set(isExpanded ? [...now].filter((expandedKey) => expandedKey !== key) : [...now, key]))
  }

  function moveTo(index: number) {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]
    if (!row || !frame.current) return
    setActiveKey(row.key)
    const top = rows.indexOf(row) * ROW_HEIGHT
    const { scrollTop: from, clientHeight } = frame.current
    if (top < from) frame.current.scrollTop = top
    else if (top + ROW_HEIGHT > from + clientHeight) frame.current.scrollTop = top + ROW_HEIGHT - clientHeight
  }

  function act(key: string, row: TreeRow): void {
    const next = rowAfter(key, { rows, active })
    if (next !== undefined) moveTo(next)
    else if (key === 'ArrowRight' && row.isExpanded === false) toggle(row)
    else if (key === 'ArrowLeft' && row.isExpanded === true) toggle(row)
    else if (key === 'Enter' || key === ' ') toggle(row)
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[active]
    if (!row || !KEYS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act(event.key, row)
  }

  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - MARGIN_ROWS)
  const last = Math.ceil((scrollTop + VIEW_HEIGHT) / ROW_HEIGHT) + MARGIN_ROWS
  return {
    frame,
    rows,
    active,
    /** The rows in the document. */
    visible: rows.slice(first, last).map((row, at) => ({ row, index: first + at })),
    onKeyDown,
    onScroll: (event: UIEvent<HTMLDivElement>) => setScrollTop(event.currentTarget.scrollTop),
    choose(index: number) {
      const row = rows[index]!
      setActiveKey(row.key)
      toggle(row)
    },
  }
}

/** Keys of the tree pattern (WAI-ARIA Authoring Practices). */
const KEYS: ReadonlySet<string> = new Set([
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageDown',
  'PageUp',
  'Enter',
  ' ',
])

/** Returns the index of the row to which a key moves; undefined for other keys. */
function rowAfter(key: string, { rows, active }: { rows: readonly TreeRow[]; active: number }): number | undefined {
  const page = Math.floor(VIEW_HEIGHT / ROW_HEIGHT) - 1
  const isExpanded = rows[active]?.isExpanded === true
  if (key === 'ArrowDown' || (key === 'ArrowRight' && isExpanded)) return active + 1
  if (key === 'ArrowUp') return active - 1
  if (key === 'Home') return 0
  if (key === 'End') return rows.length - 1
  if (key === 'PageDown') return active + page
  if (key === 'PageUp') return active - page
  return key === 'ArrowLeft' && !isExpanded ? parentOf(rows, active) : undefined
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const { key } = rows[index]!
  const parent = key.slice(0, Math.max(0, key.lastIndexOf('/')))
  const parentIndex = rows.findIndex((row) => row.key === parent)
  return parentIndex === -1 ? index : parentIndex
}
