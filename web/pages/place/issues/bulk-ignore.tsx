import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveIgnore } from '../../../api/ignores.ts'
import { listOpenPlaces } from '../../../api/issues.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Modal } from '../../../ui/dialogs.tsx'
import { freshTerms, type IgnoreTerms, TermsFields, useTermsForm } from '../ignores/fields.tsx'
import { readIgnoresAgain } from '../ignores/read-again.ts'
import { countOf } from './group-columns.tsx'

interface Props {
  readonly orgId: string
  readonly issueIds: readonly string[]
  readonly onDone: (ignored: number) => void
  readonly onClose: () => void
}

/** Ignores vulnerabilities in every project that has them open, one project after the other. */
export function BulkIgnore({ orgId, issueIds, onDone, onClose }: Props) {
  const [terms, setTerms] = useState(freshTerms)
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const queries = useQueryClient()
  const change = (part: Partial<IgnoreTerms>) => setTerms((now) => ({ ...now, ...part }))
  const saving = useMutation({
    mutationFn: async () => {
      const places = (await Promise.all(issueIds.map((id) => listOpenPlaces(orgId, id)))).flat()
      for (const [done, { projectId, issueId }] of places.entries()) {
        setProgress({ done, total: places.length })
        await saveIgnore(orgId, projectId, { ...terms, issueId, path: '*' })
      }
      return places.length
    },
    onSettled: () => {
      readIgnoresAgain(queries, orgId)
      void queries.invalidateQueries({ queryKey: ['issue-groups', orgId] })
    },
    onSuccess: (count) => onDone(count),
  })
  const { error, isPending } = saving
  const { submit, isEndMissing } = useTermsForm(terms, saving.mutate)

  return (
    <Modal
      opened
      onClose={isPending ? () => {} : onClose}
      title={`Ignore ${countOf(issueIds.length, 'vulnerability', 'vulnerabilities')}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
    >
      <form onSubmit={submit} aria-label="Ignore vulnerabilities">
        <Stack>
          <TermsFields terms={terms} onChange={change} isEndMissing={isEndMissing} error={error} />
          {isPending && progress && (
            <>
              <Progress value={(100 * progress.done) / progress.total} aria-label="Ignored projects" />
              <Text size="sm" role="status">
                {progress.done.toLocaleString()} of {progress.total.toLocaleString()}
              </Text>
            </>
          )}
          {error && <RefusalAlert title={`Stopped after ${countOf(progress?.done ?? 0, 'issue')}`} error={error} />}
          <Group>
            <Button type="submit" loading={isPending}>
              Ignore everywhere
            </Button>
            <Button variant="default" onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
