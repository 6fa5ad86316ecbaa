import { Button, Group, Modal, Progress, Radio, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type IgnoreWanted, type ReasonType, saveIgnore } from '../../../api/ignores.ts'
import { listOpenPlaces } from '../../../api/issues.ts'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { toInstant, toLocal } from '../../../ui/local-time.ts'
import { readIgnoresAgain } from '../ignores/read-again.ts'
import { reasonTypes } from '../ignores/words.ts'
import { countOf } from './group-columns.tsx'

interface Props {
  readonly orgId: string
  readonly issueIds: readonly string[]
  readonly onDone: (ignored: number) => void
  readonly onClose: () => void
}

type Wanted = Omit<IgnoreWanted, 'issueId' | 'path'>

const fresh: Wanted = { reason: '', reasonType: 'temporary-ignore', disregardIfFixable: false, expires: '' }

/** Ignores vulnerabilities in every project that has them open, one project after the other. */
export function BulkIgnore({ orgId, issueIds, onDone, onClose }: Props) {
  const [wanted, setWanted] = useState(fresh)
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const queries = useQueryClient()
  const change = (part: Partial<Wanted>) => setWanted((now) => ({ ...now, ...part }))
  const isTemporary = wanted.reasonType === 'temporary-ignore'
  const saving = useMutation({
    mutationFn: async () => {
      const places = (await Promise.all(issueIds.map((id) => listOpenPlaces(orgId, id)))).flat()
      for (const [done, { projectId, issueId }] of places.entries()) {
        setProgress({ done, total: places.length })
        await saveIgnore(orgId, projectId, { ...wanted, issueId, path: '*' })
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

  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }

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
          <Radio.Group
            label="Why"
            value={wanted.reasonType}
            onChange={(value) => change({ reasonType: value as ReasonType })}
          >
            <Stack gap="xs" mt="xs">
              {Object.entries(reasonTypes).map(([value, { name, meaning }]) => (
                <Radio key={value} value={value} label={name} description={meaning} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label="Reason"
            value={wanted.reason}
            onChange={({ currentTarget: { value } }) => change({ reason: value })}
            error={faultOf(error, 'reason')}
            autosize
            minRows={2}
            maxLength={5000}
            required
          />
          <TextInput
            type="datetime-local"
            label="End date"
            description={isTemporary ? 'A temporary ignore must end.' : 'Empty for no end'}
            required={isTemporary}
            value={toLocal(wanted.expires)}
            onChange={({ currentTarget: { value } }) => change({ expires: toInstant(value) })}
            error={faultOf(error, 'expires')}
          />
          <Switch
            label="End early when a fix becomes available"
            checked={wanted.disregardIfFixable}
            onChange={({ currentTarget: { checked } }) => change({ disregardIfFixable: checked })}
          />
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
