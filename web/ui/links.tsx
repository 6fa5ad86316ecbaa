import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Link } from '../router/react.tsx'

type LinkProps<Own> = Own & Omit<ComponentProps<typeof Link>, keyof Own>

export function PageLink(props: LinkProps<AnchorProps>) {
  return <Anchor component={Link} {...props} />
}

/** The name of a resource in a list, which leads to its page. */
export function NameLink({ to, name }: { to: string; name: string }) {
  return (
    <PageLink to={to} fw={600}>
      {name}
    </PageLink>
  )
}

export function ButtonLink(props: LinkProps<ButtonProps>) {
  return <Button component={Link} {...props} />
}
