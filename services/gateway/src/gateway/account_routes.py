"""One's own account: its profile, personal tokens and programs, all that is known of it, and its end."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from contracts.account import SessionId
from contracts.account_api import (
    Deleted,
    DeleteRequest,
    PersonalToken,
    PersonalTokens,
    Profile,
    ProfileRequest,
    Program,
    ProgramRequest,
    ProgramTokenRequest,
    TokenRequest,
)
from contracts.account_inner import ChangeProfile, MakeProgram, MakeToken, ReplaceProgramToken
from contracts.message import AccountId
from contracts.names import fallback_name
from gateway.account_service import AccountService
from gateway.codes import Code
from gateway.export import Export
from gateway.http_identity import Asker
from gateway.limits import CHANGES, EXPORTS, QUESTIONS, within
from gateway.problems import problem

ZIP = "application/zip"
ARCHIVE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A zip archive", "content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}
}
ProgramInPath = Annotated[AccountId, Path(description="its account")]
TokenInPath = Annotated[SessionId, Path(description="as the list has it, which is not its secret")]


def account_routes(service: AccountService, export: Export) -> APIRouter:
    routes = APIRouter(prefix="/v1/me", tags=["account"])

    def shown(profile: Profile) -> Profile:
        return profile if profile.name else profile.model_copy(update={"name": fallback_name(profile.account)})

    @routes.get("/profile", dependencies=[within(QUESTIONS)])
    async def my_profile(asker: Asker) -> Profile:
        """Your account as it stands."""
        return shown(await service.profile(asker.account))

    @routes.patch("/profile", dependencies=[within(CHANGES)])
    async def change_my_profile(wanted: ProfileRequest, asker: Asker) -> Profile:
        """What you give is changed. The name has its own way: `PUT /v1/me/name`."""
        change = ChangeProfile(avatar=wanted.avatar, language=wanted.language)
        return shown(await service.change_profile(asker.account, change))

    @routes.get("/tokens", dependencies=[within(QUESTIONS)])
    async def my_tokens(asker: Asker) -> PersonalTokens:
        """Your personal tokens, of which there may be twenty, and those of your programs."""
        return await service.tokens(asker.account)

    @routes.post("/tokens", status_code=201, dependencies=[within(CHANGES)])
    async def make_a_token(wanted: TokenRequest, asker: Asker) -> PersonalToken:
        """A personal token for a program that acts as you, within its scopes. Its `secret` is said this once."""
        if not wanted.scopes:
            raise problem(422, Code.BAD_REQUEST, "body.scopes", "at least one scope", "none")
        return await service.make_token(
            asker.account, MakeToken(id=wanted.id, label=wanted.label, scopes=wanted.scopes)
        )

    @routes.delete("/tokens/{token}", dependencies=[within(CHANGES)])
    async def end_a_token(token: TokenInPath, asker: Asker) -> PersonalTokens:
        """Whoever has it is out within seconds. Gives those that are left."""
        await service.end_token(asker.account, token)
        return await service.tokens(asker.account)

    @routes.post("/programs", status_code=201, dependencies=[within(CHANGES)])
    async def declare_a_program(wanted: ProgramRequest, asker: Asker) -> Program:
        """A bot of yours, with an account of its own that everybody sees to be a bot's, and a token. Ten at most."""
        return await service.make_program(
            asker.account, MakeProgram(id=wanted.id, label=wanted.label, region=asker.region)
        )

    @routes.post("/programs/{program}/token", status_code=201, dependencies=[within(CHANGES)])
    async def give_a_program_a_new_token(
        program: ProgramInPath, wanted: ProgramTokenRequest, asker: Asker
    ) -> PersonalToken:
        """For a token that was lost or has leaked: whoever has that one is out within seconds. The new one's `secret`
        is said this once."""
        return await service.replace_program_token(asker.account, program, ReplaceProgramToken(id=wanted.id))

    @routes.delete("/programs/{program}", dependencies=[within(CHANGES)])
    async def end_a_program(program: ProgramInPath, asker: Asker) -> Profile:
        """Its account is deleted, as yours is by `DELETE /v1/me`. Gives your account with the programs that are
        left."""
        await service.end_program(asker.account, program)
        return shown(await service.profile(asker.account))

    @routes.get("/export", response_class=Response, responses=ARCHIVE, dependencies=[within(EXPORTS)])
    async def export_my_data(asker: Asker) -> Response:
        """All that is known of you, as one archive, with the last fifty matches that you finished."""
        archive = await export.of(asker.account)
        headers = {"Content-Disposition": 'attachment; filename="capicua-export.zip"', "Cache-Control": "no-store"}
        return Response(archive, media_type=ZIP, headers=headers)

    @routes.delete("", dependencies=[within(CHANGES)])
    async def delete_my_account(wanted: DeleteRequest, asker: Asker) -> Deleted:
        """Your name, mail, tokens and sessions go at once and for ever. Old matches keep a pseudonym."""
        if wanted.confirm != asker.account:
            raise problem(422, Code.NOT_CONFIRMED, "body.confirm", "the id of your account", "another one")
        return await service.delete(asker.account)

    return routes
