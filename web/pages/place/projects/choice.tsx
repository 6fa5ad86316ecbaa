import { Button, Checkbox, Group, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Project } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useSelection } from '../../../hooks/selection.ts'
import { lazyPart } from '../../../navigation/lazy.ts'
import { useSearchParams } from '../../../router/react.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { countOf } from '../../../ui/words.ts'

const BulkTag = lazyPart(async () => (await import('../../../components/bulk-tag.tsx')).BulkTag)

interface Choice {
  readonly column: Column<Project>
  /** Actions for selected projects. */
  readonly bar: ReactNode
}

/** Manages the selection of projects on the displayed page, for actions on all of them. */
export function useChoice(orgId: string, shown: readonly Project[], onPageGone: () => void): Choice {
  const [parameters] = useSearchParams()
  // Filters and page are in the address.
  const { ids, toggle, clear, wasCleared } = useSelection({ filters: '', page: `${parameters}` })
  const shownIds = shown.map(({ id }) => id)
  // Hidden projects are not part of the selection.
  const chosen = shown.filter(({ id }) => ids.has(id))
  const column: Column<Project> = {
    name: 'Choose',
    width: '4.5rem',
    cell: ({ id, attributes }) => (
      <Checkbox
        aria-label={`Choose ${attributes.name}`}
        checked={ids.has(id)}
        onChange={({ currentTarget: { checked } }) => toggle([id], { shown: shownIds, isOn: checked })}
      />
    ),
  }
  const bar = (
    <Bar
      orgId={orgId}
      chosen={chosen}
      hasMore={chosen.length < shown.length}
      wasCleared={wasCleared}
      onAll={() => toggle(shownIds, { shown: shownIds, isOn: true })}
      onNone={clear}
      onPageGone={onPageGone}
    />
  )
  return { column, bar }
}

interface BarProps {
  readonly orgId: string
  readonly chosen: readonly Project[]
  readonly hasMore: boolean
  readonly wasCleared: boolean
  readonly onAll: () => void
  readonly onNone: () => void
  /** Called when all displayed projects were deleted. */
  readonly onPageGone: () => void
}

function Bar({ orgId, chosen, hasMore, wasCleared, onAll, onNone, onPageGone }: BarProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const [isTagging, tagging] = useDisclosure()
  const [tagged, setTagged] = useState<number>()
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => call('deleteProjectsV1', { params: { orgId }, body: { projects: chosen.map(({ id }) => id) } }),
    onSuccess: async () => {
      for (const name of ['issues', 'ignores']) void queries.invalidateQueries({ queryKey: [name, orgId] })
      if (!hasMore) onPageGone()
      await queries.invalidateQueries({ queryKey: ['projects', orgId] })
      onNone()
    },
    onSettled: close,
  })
  if (chosen.length === 0 && !deleting.error) {
    if (wasCleared) return <Text role="status">Selection cleared, because other rows are shown.</Text>
    return tagged === undefined ? null : <Text role="status">{countOf(tagged, 'project')} tagged.</Text>
  }
  const words = countOf(chosen.length, 'project')
  return (
    <Paper withBorder p="sm" component="section" aria-label="Selected projects">
      <Group gap="sm">
        <Text size="sm" role="status">
          {words} selected
        </Text>
        <Button size="compact-sm" variant="default" disabled={!hasMore} onClick={onAll}>
          Select all on this page
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            deleting.reset()
            onNone()
          }}
        >
          Clear selection
        </Button>
        <Button size="compact-sm" variant="default" disabled={chosen.length === 0} onClick={tagging.open}>
          Tag {words}
        </Button>
        <Button size="compact-sm" color="red" variant="outline" disabled={chosen.length === 0} onClick={open}>
          Delete {words}
        </Button>
      </Group>
      {deleting.error && <RefusalAlert title="Not deleted" error={deleting.error} />}
      {isTagging && (
        <Suspense>
          <BulkTag
            orgId={orgId}
            findProjects={async () => chosen.map(({ id }) => id)}
            onClose={tagging.close}
            onDone={(count) => {
              tagging.close()
              setTagged(count)
              onNone()
            }}
          />
        </Suspense>
      )}
      <ConfirmDialog
        title={`Delete ${words}?`}
        verb="Delete"
        isOpen={isOpen}
        isBusy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
        onClose={close}
      >
        Their history and ignores are deleted. This cannot be undone. The next import of their repositories creates them
        again.
      </ConfirmDialog>
    </Paper>
  )
}
