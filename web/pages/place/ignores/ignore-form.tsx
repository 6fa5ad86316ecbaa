import { Button, Group, Radio, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Ignore, type IgnoreWanted, type ReasonType, saveIgnore } from '../../../api/ignores.ts'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { toInstant, toLocal } from '../../../ui/local-time.ts'
import { PathChoice } from './path-choice.tsx'
import { readIgnoresAgain } from './read-again.ts'
import { pathWords, reasonTypes } from './words.ts'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly issueId: string
  /** The one that is changed. */
  readonly ignore?: Ignore
  /** Ways by which the issue gets in, as ignores write them. */
  readonly paths?: readonly string[]
  readonly onDone: () => void
  readonly onCancel: () => void
}

export function IgnoreForm({ orgId, projectId, issueId, ignore, paths = [], onDone, onCancel }: Props) {
  const [wanted, setWanted] = useState(() => (ignore ? toWanted(ignore) : freshOf(issueId)))
  const change = (part: Partial<IgnoreWanted>) => setWanted((now) => ({ ...now, ...part }))
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () => saveIgnore(orgId, projectId, wanted),
    onSuccess: () => {
      readIgnoresAgain(queries, orgId)
      onDone()
    },
  })
  const { error } = saving

  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }

  return (
    <form onSubmit={submit} aria-label={ignore ? 'Edit ignore' : 'Ignore issue'}>
      <Stack>
        <Radio.Group
          label="Why"
          value={wanted.reasonType}
          onChange={(value) => change({ reasonType: value as ReasonType })}
          error={faultOf(error, 'reasonType')}
        >
          <Stack gap="xs" mt="xs">
            {Object.entries(reasonTypes).map(([value, { name, meaning }]) => (
              <Radio key={value} value={value} label={name} description={meaning} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label="Reason"
          description="Shown with the ignore"
          value={wanted.reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
          error={faultOf(error, 'reason')}
          autosize
          minRows={2}
          maxLength={5000}
          required
        />
        {ignore ? (
          <Text size="sm" className="breakable">
            On {pathWords(ignore.attributes.path)}
          </Text>
        ) : (
          <PathChoice
            paths={paths}
            value={wanted.path}
            onChange={(path) => change({ path })}
            error={faultOf(error, 'ignorePath')}
          />
        )}
        <TextInput
          type="datetime-local"
          label="Until"
          description="Local time; empty for no expiry. The issue counts again after this"
          value={toLocal(wanted.expires)}
          onChange={(event) => change({ expires: toInstant(event.currentTarget.value) })}
          error={faultOf(error, 'expires')}
        />
        <Switch
          label="Only while no fix exists"
          description="Counts again as soon as an upgrade or a pin fixes it"
          checked={wanted.disregardIfFixable}
          onChange={(event) => change({ disregardIfFixable: event.currentTarget.checked })}
        />
        {error && <RefusalAlert title="Not saved" error={error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {ignore ? 'Save' : 'Ignore it'}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function freshOf(issueId: string): IgnoreWanted {
  return { issueId, path: '*', reason: '', reasonType: 'temporary-ignore', disregardIfFixable: false, expires: '' }
}

function toWanted({ attributes }: Ignore): IgnoreWanted {
  return {
    issueId: attributes.issue_id,
    path: attributes.path,
    reason: attributes.reason,
    reasonType: attributes.reason_type,
    disregardIfFixable: attributes.disregard_if_fixable,
    expires: attributes.expires_at ?? '',
  }
}
