/** Everybody in the room: who is the host, who is away, who only looks on; and what one may do about each. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, Card, Dialog, Icon, ReportButton } from "../../ui";
import type { PersonInRoom, PrivateRoom } from "../../wire/generated";
import type { Doing } from "./use-doing";
import "./tag.css";

export interface PeopleProps {
  room: PrivateRoom;
  me: string | null;
  doing: Doing;
  onCommand: (command: { type: string; [field: string]: unknown }) => Promise<unknown>;
}

export function People(props: PeopleProps) {
  const { room } = props;
  const [chosen, choose] = useState<string | null>(null);
  const person = room.people.find(({ account }) => account === chosen);
  return (
    <Card title={t("room.people")} aside={<span class="room-people__count">{t("common.people", { count: room.people.length })}</span>}>
      <ul class="room-people">
        {room.people.map((one) => (
          <Line key={one.account} {...props} person={one} onChoose={() => choose(one.account)} />
        ))}
      </ul>
      {room.host !== room.owner && <p class="room-people__note">{standsIn(room)}</p>}
      {person && <PersonDialog {...props} person={person} onClose={() => choose(null)} />}
    </Card>
  );
}

function standsIn(room: PrivateRoom): string {
  const name = (account: string) => room.people.find((person) => person.account === account)?.name ?? "";
  return t("room.stands-in", { name: name(room.host), owner: name(room.owner) });
}

function Line({ room, me, person, onChoose }: PeopleProps & { person: PersonInRoom; onChoose: () => void }) {
  const muted = useClient().muted.value.has(person.account);
  return (
    <li class="room-people__person">
      <Icon name={person.bot ? "bot" : "person"} />
      <span class="room-people__name">
        {person.name}
        {person.account === me && <span class="room-tag">{t("common.you")}</span>}
        {person.account === room.host && <span class="room-tag room-tag--accent">{t("room.host")}</span>}
        {person.bot && <span class="room-tag">{t("common.bot")}</span>}
        {person.away && <span class="room-tag room-tag--warning">{t("room.away")}</span>}
        {muted && <span class="room-tag">{t("room.muted")}</span>}
      </span>
      {person.account !== me && (
        <Button kind="quiet" icon="menu" iconOnly onClick={onChoose}>
          {t("room.about-person", { name: person.name })}
        </Button>
      )}
    </li>
  );
}

function PersonDialog({ room, me, doing, onCommand, person, onClose }: PeopleProps & { person: PersonInRoom; onClose: () => void }) {
  const client = useClient();
  const muted = client.muted.value.has(person.account);
  const { account, name } = person;
  const hosts = room.host === me && !room.running && !room.starting;
  const act = async (type: string) => {
    if (await doing.run(type, () => onCommand({ type, account }))) onClose();
  };
  return (
    <Dialog title={name} open onClose={onClose}>
      {doing.error && <p role="alert" class="room-people__error">{doing.error}</p>}
      <div class="room-people__actions">
        <Button
          icon={muted ? "sound" : "mute"}
          busy={doing.busy === "mute"}
          onClick={() => doing.run("mute", () => client.mute(account, !muted))}
        >
          {t(muted ? "room.hear-again" : "room.mute")}
        </Button>
        {hosts && room.host === room.owner && !person.away && (
          <Button icon="crown" busy={doing.busy === "hand-over"} onClick={() => act("hand-over")}>
            {t("room.hand-over")}
          </Button>
        )}
        {hosts && account !== room.owner && (
          <Button kind="danger" icon="close" busy={doing.busy === "remove-person"} onClick={() => act("remove-person")}>
            {t("room.remove")}
          </Button>
        )}
        <ReportButton place="person" person={account} kind="plain" />
      </div>
      {hosts && account !== room.owner && <p class="room-people__note">{t("room.remove-hint")}</p>}
    </Dialog>
  );
}
