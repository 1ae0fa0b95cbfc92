/** Tokens for programs that act as this account, and declared bots with accounts of their own. */
import { useState } from "preact/hooks";
import { t } from "../../texts";
import { Card } from "../../ui";
import type { PersonalTokens, Profile } from "../../wire/generated";
import { Answered } from "./answered";
import { Bots } from "./bots";
import { SecretDialog } from "./secret-dialog";
import { TokenForm } from "./token-form";
import { TokenList } from "./token-list";
import { useQuestion } from "./use-question";

export interface ProgramsProps {
  profile: Profile;
  onProfile: (profile: Profile) => void;
  onAgain: () => void;
}

export function Programs({ profile, onProfile, onAgain }: ProgramsProps) {
  const question = useQuestion<PersonalTokens>("/v1/me/tokens");
  const [secret, setSecret] = useState<string | null>(null);
  const made = (said: string | null | undefined) => {
    setSecret(said ?? null);
    question.again();
    onAgain();
  };
  return (
    <Card title={t("me.programs")}>
      <p class="me__soft">{t("me.programs-hint")}</p>
      <Answered question={question}>
        {(list) => <TokenList tokens={list.tokens} onTokens={(tokens) => question.replace({ tokens })} />}
      </Answered>
      <TokenForm onMade={made} />
      <Bots programs={profile.programs ?? []} onProfile={onProfile} onMade={made} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </Card>
  );
}
