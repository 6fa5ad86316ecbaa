import { Badge } from '@mantine/core'
import { useId } from 'react'
import { SeverityBadge } from '../../../../ui/severity.tsx'
import type { Tree, TreeNode, TreeRow } from './tree.ts'
import styles from './tree-view.module.css'
import { ROW_HEIGHT, useTree, VIEW_HEIGHT } from './use-tree.ts'

/** Indentation of a level in pixels, up to the maximum number of levels. */
const INDENT = 18
const MAX_INDENTED = 24

interface Props {
  readonly tree: Tree
  /** Keys of the initially expanded rows. */
  readonly initial: ReadonlySet<string>
  readonly isShown: (node: TreeNode) => boolean
  /** Lower case, marked in names; empty for none. */
  readonly search: string
}

export function TreeView({ tree, initial, isShown, search }: Props) {
  const id = useId()
  const { frame, rows, active, visible, onKeyDown, onScroll, choose } = useTree({ tree, initial, isShown })
  const activeRow = rows[active]
  return (
    <div
      ref={frame}
      role="tree"
      aria-label="Dependencies"
      tabIndex={0}
      aria-activedescendant={activeRow && `${id}-${activeRow.key}`}
      className={styles['tree']}
      style={{ maxHeight: VIEW_HEIGHT }}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div role="none" className={styles['rows']} style={{ height: rows.length * ROW_HEIGHT }}>
        {visible.map(({ row, index }) => (
          <Row
            key={row.key}
            id={`${id}-${row.key}`}
            row={row}
            index={index}
            isActive={index === active}
            search={search}
            onChoose={() => choose(index)}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly row: TreeRow
  readonly index: number
  readonly isActive: boolean
  readonly search: string
  readonly onChoose: () => void
}

function Row({ id, row, index, isActive, search, onChoose }: RowProps) {
  const { node, level, position, siblings, isExpanded } = row
  const { name, version, issues, worstBelow } = node
  const isFound = search !== '' && name.toLowerCase().includes(search)
  const classes = [styles['row'], isActive && styles['active'], (issues || worstBelow) && styles['vulnerable']]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isExpanded}
      aria-selected={isActive}
      className={classes.filter(Boolean).join(' ')}
      style={{ top: index * ROW_HEIGHT, height: ROW_HEIGHT, paddingLeft: Math.min(level, MAX_INDENTED) * INDENT }}
      onClick={onChoose}
    >
      <span aria-hidden className={styles['arrow']}>
        {isExpanded === undefined ? '' : isExpanded ? '▾' : '▸'}
      </span>
      <span className={isFound ? styles['found'] : styles['name']} title={name}>
        {name}
      </span>
      <span className={styles['version']}>{version}</span>
      {issues && (
        <>
          <SeverityBadge severity={issues.worst} />
          {issues.count > 1 && (
            <Badge variant="default" radius="sm" tt="none">
              {issues.count.toLocaleString()} issues
            </Badge>
          )}
        </>
      )}
      {worstBelow && isExpanded === false && <span className={styles['below']}>{worstBelow} below</span>}
    </div>
  )
}
