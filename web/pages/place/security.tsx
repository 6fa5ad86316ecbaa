import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { GroupSecurity } from '../../api/resources.ts'
import { ReadingAlert, RefusalAlert } from '../../components/refusal-alert.tsx'
import { usePlace } from '../../hooks/place.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { SessionPolicy } from './session-policy.tsx'

/** A group's rules for the sign-in of its members. */
export function Security() {
  const { id } = usePlace()
  const reading = useQuery({
    queryKey: ['group-security', id],
    queryFn: () => call('getSignInRules', { params: { group_id: id } }),
  })
  return (
    <Page title="Security">
      <Section title="Second factor">
        <ReadingAlert title="Could not load the security of the group" reading={reading} />
        {reading.data && <SecondFactorRule groupId={id} security={reading.data} />}
      </Section>
      {reading.data && <SessionPolicy groupId={id} security={reading.data} />}
    </Page>
  )
}

const words = {
  optional: {
    rule: 'Optional: members decide',
    verb: 'Require second factor',
    title: 'Require a second factor?',
    consequence:
      'Members without one are signed out of the console at once and set one up when they sign in again. API keys and authorized apps keep working.',
  },
  required: {
    rule: 'Required',
    verb: 'Make second factor optional',
    title: 'Make the second factor optional?',
    consequence: 'Members can remove their second factors and sign in with a password alone.',
  },
} as const

function SecondFactorRule({ groupId, security }: { groupId: string; security: GroupSecurity }) {
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const { rule, verb, title, consequence } = words[security.second_factor]
  const change = { second_factor: security.second_factor === 'required' ? 'optional' : 'required' } as const
  const changing = useMutation({
    mutationFn: () => call('updateSignInRules', { params: { group_id: groupId }, body: change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['group-security', groupId] }),
    onSettled: close,
  })
  return (
    <>
      {changing.error && <RefusalAlert title="Not changed" error={changing.error} />}
      <Facts
        of={[
          ['Rule', rule],
          ['Members with a second factor', `${security.with_factor} of ${security.members}`],
        ]}
      />
      <Text size="sm" c="dimmed">
        Applies to members of the group and of its organizations, in the console and when apps ask for consent.
      </Text>
      <Button variant="default" onClick={open} style={{ alignSelf: 'flex-start' }}>
        {verb}
      </Button>
      <ConfirmDialog
        title={title}
        verb={verb}
        isOpen={isOpen}
        isBusy={changing.isPending}
        onConfirm={() => changing.mutate()}
        onClose={close}
      >
        {consequence}
      </ConfirmDialog>
    </>
  )
}
