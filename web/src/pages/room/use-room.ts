/** A private room as long as the page shows it, and what its changes say to those who listen. */
import { useEffect, useState } from "preact/hooks";
import { useClient } from "../../client/context";
import type { PrivateRoomFollow } from "../../client/types";
import { refusalText } from "../../texts/refusal";

export interface FollowedRoom {
  follow: PrivateRoomFollow | null;
  /** Why the account could not be made. */
  failed: string | null;
}

export function useRoom(code: string): FollowedRoom {
  const client = useClient();
  const [followed, setFollowed] = useState<FollowedRoom>({ follow: null, failed: null });
  useEffect(() => {
    let gone = false;
    let follow: PrivateRoomFollow | null = null;
    setFollowed({ follow: null, failed: null });
    client.ensure().then(
      () => {
        if (gone) return;
        follow = client.followPrivateRoom(code);
        setFollowed({ follow, failed: null });
      },
      (error: unknown) => !gone && setFollowed({ follow: null, failed: refusalText(error) }),
    );
    return () => {
      gone = true;
      follow?.stop();
    };
  }, [client, code]);
  return followed;
}
