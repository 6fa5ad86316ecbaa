import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type IgnoreWanted, saveIgnore } from '../../../api/ignores.ts'
import type { Ignore } from '../../../api/resources.ts'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { freshTerms, TermsFields, UnfixableSwitch, useTermsForm } from './fields.tsx'
import { PathChoice } from './path-choice.tsx'
import { keysOfIgnores } from './read-again.ts'
import { pathWords } from './words.ts'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly issueId: string
  /** The ignore to change. */
  readonly ignore?: Ignore
  /** Dependency paths of the issue, in the format of ignores. */
  readonly paths?: readonly string[]
  readonly onDone: () => void
  readonly onCancel: () => void
}

export function IgnoreForm({ orgId, projectId, issueId, ignore, paths = [], onDone, onCancel }: Props) {
  const [input, setWanted] = useState(() => (ignore ? toWanted(ignore) : freshOf(issueId)))
  const change = (part: Partial<IgnoreWanted>) => setWanted((now) => ({ ...now, ...part }))
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () => saveIgnore(orgId, projectId, input),
    onSuccess: () => {
      for (const queryKey of keysOfIgnores(orgId)) void queries.invalidateQueries({ queryKey })
      onDone()
    },
  })
  const { error } = saving
  const { submit, isEndMissing } = useTermsForm(input, saving.mutate)

  return (
    <SubmitForm onSubmit={submit} aria-label={ignore ? 'Edit ignore' : 'Ignore issue'}>
      <Stack>
        <TermsFields terms={input} onChange={change} isEndMissing={isEndMissing} error={error}>
          {ignore ? (
            <Text size="sm" className="breakable">
              On {pathWords(ignore.attributes.path)}
            </Text>
          ) : (
            <PathChoice
              paths={paths}
              value={input.path}
              onChange={(path) => change({ path })}
              error={faultOf(error, 'ignorePath')}
            />
          )}
        </TermsFields>
        <UnfixableSwitch terms={input} onChange={change} />
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
    </SubmitForm>
  )
}

function freshOf(issueId: string): IgnoreWanted {
  return { ...freshTerms(), issueId, path: '*' }
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
