-- Those that were deleted lately are told of again.
CREATE INDEX accounts_deleted_at ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;
