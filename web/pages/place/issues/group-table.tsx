import { ActionIcon, Checkbox, VisuallyHidden } from '@mantine/core'
import { Fragment, useId } from 'react'
import type { Grouping, IssueGroup } from '../../../api/resources.ts'
import { ChevronIcon } from '../../../ui/icons.tsx'
import { Table, WaitingRows } from '../../../ui/table.tsx'
import { type GroupColumn, nouns, useColumns } from './group-columns.tsx'
import { GroupDetails } from './group-details.tsx'
import styles from './groups.module.css'

export interface Selection {
  isSelected(id: string): boolean
  toggle(ids: readonly string[], isOn: boolean): void
  /** True while other rows are loading. */
  readonly isDisabled: boolean
}

interface Props {
  readonly orgId: string
  readonly grouping: Grouping
  readonly isByAge?: boolean
  /** Undefined while loading. */
  readonly groups: readonly IssueGroup[] | undefined
  readonly expanded: string | undefined
  readonly onExpand: (id: string | undefined) => void
  /** Undefined if groups cannot be selected. */
  readonly selection: Selection | undefined
}

/** Shows groups of issues; each row links to its page and expands to its parts. */
export function GroupTable(props: Props) {
  const { orgId, grouping, groups, selection, isByAge = false } = props
  const columns = useColumns(orgId, { grouping, groups: groups ?? [], isByAge })
  const width = columns.length + (selection ? 2 : 1)
  const ids = groups?.map(({ id }) => id) ?? []
  const selected = ids.filter((id) => selection?.isSelected(id))
  const isAll = ids.length > 0 && selected.length === ids.length
  return (
    <div className={styles['frame']} aria-busy={groups === undefined}>
      <Table className={styles['table'] ?? ''} aria-label={`Issues by ${nouns[grouping].toLowerCase()}`}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th className={styles['choose'] ?? ''}>
                <Checkbox
                  size="xs"
                  aria-label="Select all on this page"
                  disabled={selection.isDisabled}
                  checked={isAll}
                  indeterminate={!isAll && selected.length > 0}
                  onChange={({ currentTarget: { checked } }) => selection.toggle(ids, checked)}
                />
              </Table.Th>
            )}
            {columns.map(({ name, width: own, isNumber }) => (
              <Table.Th key={name} w={own} className={isNumber ? (styles['number'] ?? '') : ''}>
                {name || <VisuallyHidden>Severity</VisuallyHidden>}
              </Table.Th>
            ))}
            <Table.Th className={styles['more'] ?? ''}>
              <VisuallyHidden>Details</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups === undefined ? (
            <WaitingRows columns={width} />
          ) : (
            groups.map((group) => <GroupRow key={group.id} {...props} {...{ group, columns, width }} />)
          )}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface RowProps extends Props {
  readonly group: IssueGroup
  readonly columns: readonly GroupColumn[]
  /** Columns of the table. */
  readonly width: number
}

function GroupRow({ orgId, grouping, group, columns, width, expanded, onExpand, selection }: RowProps) {
  const { id, attributes } = group
  const detailsId = useId()
  const isOpen = expanded === id
  const isSelected = selection?.isSelected(id) ?? false
  return (
    <Fragment>
      <Table.Tr data-selected={isSelected}>
        {selection && (
          <Table.Td>
            <Checkbox
              size="xs"
              aria-label={`Select ${attributes.name}`}
              checked={isSelected}
              disabled={selection.isDisabled}
              onChange={({ currentTarget: { checked } }) => selection.toggle([id], checked)}
            />
          </Table.Td>
        )}
        {columns.map(({ name, isNumber, cell }) => (
          <Table.Td key={name} className={isNumber ? (styles['number'] ?? '') : ''}>
            {cell(group)}
          </Table.Td>
        ))}
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Details of ${attributes.name}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => onExpand(isOpen ? undefined : id)}
          >
            <span style={{ display: 'flex', rotate: isOpen ? '90deg' : undefined }}>
              <ChevronIcon size={16} />
            </span>
          </ActionIcon>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr className={styles['details'] ?? ''} id={detailsId}>
          <Table.Td colSpan={width}>
            <GroupDetails orgId={orgId} grouping={grouping} group={group} />
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  )
}
