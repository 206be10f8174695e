import { type HTMLAttributes, useEffect, useRef, useState } from 'react';

const HOLD_MS = 5_000;

/**
 * Keeps the cards of agents in place while the operator uses one of them, so that the operator does not answer the
 * wrong agent. Returns the value from which the places of the cards are computed, and event handlers for the element
 * around the cards. The returned value does not change while the operator types into a card, or just after the pointer
 * has moved over a card.
 */
export function useSteady<T>(value: T): readonly [T, HTMLAttributes<HTMLElement>] {
  const [isPointing, setPointing] = useState(false);
  const [isTyping, setTyping] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const kept = useRef(value);
  if (!isPointing && !isTyping) kept.current = value;
  useEffect(() => () => clearTimeout(rest.current), []);
  const point = (isOver: boolean): void => {
    clearTimeout(rest.current);
    setPointing(isOver);
    if (isOver) rest.current = setTimeout(() => setPointing(false), HOLD_MS);
  };
  return [
    kept.current,
    {
      onMouseMove: ({ target }) => point(target instanceof Element && target.closest('[data-item]') !== null),
      onMouseLeave: () => point(false),
      onFocus: ({ target }) => setTyping(target.matches('input, textarea')),
      onBlur: () => setTyping(false),
    },
  ];
}
