import type { ComponentProps, ReactNode } from 'react'
import { Link } from '../router/react.tsx'
import styles from './navigation-link.module.css'

interface Words {
  readonly icon: ReactNode
  readonly label: string
  /** A second line. */
  readonly description?: string | undefined
}

interface LinkProps extends Words {
  readonly to: string
  readonly isHere: boolean
  readonly onClick: () => void
}

/** A page in the navigation. */
export function NavigationLink({ to, isHere, onClick, ...words }: LinkProps) {
  return (
    <Link to={to} className={styles['link']} aria-current={isHere ? 'page' : undefined} onClick={onClick}>
      <Contents {...words} />
    </Link>
  )
}

/** An action in the navigation. */
export function NavigationButton({ onClick, ...words }: Words & Pick<ComponentProps<'button'>, 'onClick'>) {
  return (
    <button type="button" className={styles['link']} onClick={onClick}>
      <Contents {...words} />
    </button>
  )
}

function Contents({ icon, label, description }: Words) {
  return (
    <>
      {icon}
      <span className={styles['words']}>
        {label}
        {description !== undefined && <span className={styles['description']}> {description}</span>}
      </span>
    </>
  )
}
