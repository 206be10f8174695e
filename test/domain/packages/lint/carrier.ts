interface Parts {
  readonly context?: string;
  readonly criteria?: string;
  readonly constraints?: string;
}

const CONTEXT = `  context:
    summary: "Moved the price rounding of 4 products from src/cart.ts to src/order.ts"
    artifacts:
      - { path: src/cart.ts, type: code, description: "the cart" }
      - { path: src/order.ts, type: code, description: "the order" }
    open_questions: []
`;

/** Returns a package that contains the parts that a test gives. The rest of the package passes the lint. */
export const carrier = ({ context = CONTEXT, criteria, constraints = '' }: Parts = {}): string => `handoff:
  from: { agent: backend }
  to: { agent: reviewer, reason: "A second pair of eyes for money" }
${context}  expectations:
    deliverable: "Review of the rounding in docs/review.md"
${constraints}${criteria ?? '    success_criteria: ["`npm test` passes"]\n'}`;
